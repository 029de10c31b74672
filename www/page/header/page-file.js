/** One HTML file of the present view: texts, caption, the inspector's pictures and words; it needs nothing beside itself. */

/** @import { State } from '../../app/state.js' */
import { el } from '../../ui/dom.js';
import { download } from '../../ui/save.js';

/** What the file's own page may do: show itself. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** Where the styles will stand. */
const STYLES = 'styles';

/** Added to the page's own styles. */
const STYLE = `
body { max-width: 860px; margin: 0 auto; padding: 24px 16px; }
main { display: block; padding: 0; }
main > * + * { margin-top: 18px; }
.inspector { position: static; max-height: none; padding: 18px 22px; }
.map, .map canvas, .map img { position: static; min-height: 0; }
.map.layered { position: relative; min-height: var(--map-height, 338px); }
.map.layered img { position: absolute; top: 0; left: 0; }
.prose { min-height: 0; }
`;

/** Parts of the page that only do something. */
const CONTROLS = 'button, input, select, textarea, .segmented, .settings > :empty, .menu-anchor, .tabs, .tab-list, .unseen, .scrub, .slider, [hidden], .legend .pin';

/** @param {State} state */
export function savePage(state) {
  download('translucent.html', new Blob([pageFile(state)], { type: 'text/html' }));
}

/**
 * The file's text. All that a reader typed enters as text nodes of a document that is then written out.
 * @param {State} state
 */
export function pageFile(state) {
  const page = document.implementation.createHTMLDocument(state.lesson?.scenes[state.scene]?.title || 'Translucent');
  page.documentElement.lang = 'en';
  const theme = document.documentElement.dataset.theme;
  if (theme) page.documentElement.dataset.theme = theme;
  page.head.prepend(el('meta', { charset: 'utf-8' }), el('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }), el('meta', { name: 'viewport', content: 'width=device-width' }));
  // The styles come in as text: as an element they would be held to this page's own policy.
  page.head.append(page.createComment(STYLES));
  const scene = state.lesson?.scenes[state.scene];
  const text = (/** @type {string} */ lang, /** @type {string} */ content) => el('p', { class: 'prose', lang, text: content });
  const panel = document.getElementById(`panel-${state.tab}`);
  page.body.append(
    el(
      'main',
      {},
      el('h1', { text: 'Translucent' }),
      ...(scene ? [el('section', { class: 'panel scenes' }, el('h2', { text: scene.title }), el('p', { text: scene.caption }))] : []),
      text(state.model?.sourceLanguage ?? '', state.text),
      text(state.model?.targetLanguage ?? '', state.doc.outputs.map((output, i) => output.text + (state.doc.sentences[i]?.after ?? '')).join('')),
      el('section', { class: 'panel inspector' }, ...(panel ? [still(panel)] : [])),
    ),
  );
  return `<!doctype html>\n${page.documentElement.outerHTML.replace(`<!--${STYLES}-->`, () => `<style>${styles()}${STYLE}</style>`)}\n`;
}

/**
 * A copy that does nothing: pictures instead of canvases, no controls.
 * @param {Element} panel
 */
function still(panel) {
  const copy = /** @type {HTMLElement} */ (panel.cloneNode(true));
  const canvases = panel.querySelectorAll('canvas');
  [...copy.querySelectorAll('canvas')].forEach((canvas, i) => {
    const from = canvases[i];
    const image = el('img', { class: from.className, src: from.toDataURL('image/png'), alt: canvas.getAttribute('aria-label') ?? '', width: from.clientWidth || null, height: from.clientHeight || null });
    image.style.cssText = from.style.cssText;
    canvas.parentElement?.classList.toggle('layered', canvas.parentElement.querySelectorAll('canvas, img').length > 1);
    canvas.replaceWith(image);
  });
  for (const node of copy.querySelectorAll(CONTROLS)) node.remove();
  for (const node of copy.querySelectorAll('[tabindex], [role="application"]')) {
    node.removeAttribute('tabindex');
    if (node.getAttribute('role') === 'application') node.setAttribute('role', 'figure');
  }
  for (const node of copy.querySelectorAll('[id]')) node.removeAttribute('id');
  copy.removeAttribute('role');
  copy.removeAttribute('aria-labelledby');
  return copy;
}

/** The page's style sheets, whose rules lie here already. */
function styles() {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .map((rule) => rule.cssText)
    .join('\n');
}
