/** The model in training outside of its tab: on the whole page, and as a folder to be saved. */

/** @import { TabContext } from '../list.js' */
/** @import { createTrainer } from './trainer.js' */
import { oneAtATime } from '../../app/requests.js';
import { grouped } from '../../ui/numbers.js';
import { download } from '../../ui/save.js';
import { zip } from '../../ui/zip.js';

/** Milliseconds between two models that the page is handed. */
const FOLLOW_EVERY = 500;

/**
 * @param {{ store: TabContext['store'], session: TabContext['session'], trainer: ReturnType<typeof createTrainer>, name: () => string,
 *   says: (text: string) => void, changed: () => void, failed: (error: unknown) => void }} parts
 *   `name`: of the model's folder; `changed`: after the page began or ceased to follow
 */
export function handOver({ store, session, trainer, name, says, changed, failed }) {
  /** Whether the page shows the model in training. */
  let following = false;
  let followed = 0;
  /** The model and the text that the page had before. @type {{ address: string | null, text: string } | null} */
  let home = null;

  /** Hands the present weights to the page; stops if the reader chose another model meanwhile. */
  const give = oneAtATime(
    async (/** @type {number} */ step) => {
      followed = performance.now();
      const files = await trainer.call('folder', undefined);
      // The reader went back to the other model meanwhile, which is being loaded.
      if (!following) return;
      const address = new URL(`${name()}/`, document.baseURI).href;
      const taken = await session.follow(address, [...files].map(([name, bytes]) => new File([bytes], name)));
      if (taken && following) says(`Figure 1 and every tab show this model at step ${grouped(step)}. Type your inputs above.`);
      else following = false;
    },
    changed,
    (error) => {
      following = false;
      failed(error);
    },
  );

  /** Back to the model and the text that the page had before. */
  async function leave() {
    following = false;
    changed();
    says('');
    const before = home;
    home = null;
    try {
      if (before?.address && (await session.use(before.address, {})) !== null) {
        session.setCaret(before.text.length);
        session.typed(before.text);
      }
    } catch (error) {
      failed(error);
    }
  }

  return {
    isFollowing: () => following,
    /** @param {number} step */
    progressed(step) {
      if (following && performance.now() - followed > FOLLOW_EVERY) give(step);
    },
    /** @param {number} step */
    arrived(step) {
      if (following) give(step);
    },
    /**
     * Begins to show the model on the page, with this text to begin with, or returns to the one before.
     * @param {string} text
     * @param {number} step
     */
    toggle(text, step) {
      if (following) return leave();
      const { address, text: typed } = store.get();
      home ??= { address, text: typed };
      following = true;
      changed();
      session.setCaret(0);
      session.typed(text);
      give(step);
    },
    /** Saves the present weights as a model folder. */
    async save() {
      try {
        const files = await trainer.call('folder', undefined);
        const folder = new Map([...files].map(([file, bytes]) => [`${name()}/${file}`, new Blob([bytes])]));
        download(`${name()}.zip`, await zip(folder));
        says('Saved as a model folder: drop it on “Models” here, or open it with the command-line program.');
      } catch (error) {
        failed(error);
      }
    },
  };
}
