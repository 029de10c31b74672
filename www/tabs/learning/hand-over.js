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
  /** Address that the page had the model in training at. @type {string | null} */
  let shown = null;
  /** Whether the page has taken it since it began to follow. */
  let taken = false;
  /** The model and the text that the page had before. @type {{ address: string | null, text: string } | null} */
  let home = null;

  /** Whether the reader has chosen another model for the page since; it may still be loading. */
  function isLeft() {
    const { address, pendingModel } = store.get();
    return taken && (pendingModel !== null || address !== shown);
  }

  function stop() {
    following = false;
    says('');
    changed();
  }

  /** Hands the present weights to the page. */
  const give = oneAtATime(
    async (/** @type {number} */ step) => {
      followed = performance.now();
      const files = await trainer.call('folder', undefined);
      // The reader went back to the model before, which is being loaded.
      if (!following) return;
      if (isLeft()) return stop();
      const address = new URL(`${name()}/`, document.baseURI).href;
      taken = await session.follow(address, [...files].map(([name, bytes]) => new File([bytes], name)));
      if (taken) shown = store.get().address;
      if (!following) return;
      if (!taken) return stop();
      says(`Figure 1 and every tab show this model at step ${grouped(step)}. Type your inputs above.`);
    },
    changed,
    (error) => {
      following = false;
      failed(error);
    },
  );

  /** Back to the model and the text that the page had before. */
  async function leave() {
    stop();
    try {
      if (home?.address && (await session.use(home.address, {})) !== null) {
        session.setCaret(home.text.length);
        session.typed(home.text);
      }
    } catch (error) {
      failed(error);
    }
  }

  store.watch(['address', 'pendingModel'], () => following && isLeft() && stop());

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
      // After a failed download the page still has the model in training, which cannot be fetched again.
      if (address !== shown) home = { address, text: typed };
      following = true;
      taken = false;
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
