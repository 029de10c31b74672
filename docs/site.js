// Live parts of the documentation: the elements take the book's theme and the heads that were measured, and code that can be run has a button.

const site = new URL('.', document.currentScript.src);
const DARK = ['navy', 'coal', 'ayu'];
/** Attribute `kind` of an element, and the name of the same attention in `heads.json`. */
const KINDS = { encoder: 'encoderSelf', decoder: 'decoderSelf', cross: 'cross' };

const live = [...document.querySelectorAll('.live *')].filter(({ localName }) => localName.startsWith('translucent-'));

function takeTheme() {
  const isDark = DARK.some((name) => document.documentElement.classList.contains(name));
  for (const element of live) element.setAttribute('theme', isDark ? 'dark' : 'light');
}

/** The head of a kind that does most of what `role` names, as `translucent heads` measured it. */
function headOf({ alignment, roles }, kind, role) {
  if (role === 'alignment') return alignment;
  const best = roles.filter(({ attention, leading }) => attention === KINDS[kind] && leading === role);
  return best.sort((a, b) => b.strength - a.strength)[0];
}

/** Elements with `data-role` show the head that has it in this model. */
async function chooseHeads() {
  const asked = live.filter(({ dataset }) => dataset.role);
  if (asked.length === 0) return;
  const heads = await (await fetch(new URL('en-de/heads.json', site))).json();
  for (const element of asked) {
    const head = headOf(heads, element.getAttribute('kind') ?? 'cross', element.dataset.role);
    if (!head) continue;
    element.setAttribute('layer', head.layer + 1);
    element.setAttribute('head', head.head + 1);
    const which = document.createElement('p');
    which.className = 'which';
    which.textContent = `Layer ${head.layer + 1}, head ${head.head + 1}: the strongest of this model for “${element.dataset.role}”.`;
    element.after(which);
  }
}

/** Runs a block's module and shows what it logs. */
async function run(text, said) {
  said.textContent = '';
  globalThis.translucentLog = (...words) => (said.textContent += `${words.map((word) => (typeof word === 'object' ? JSON.stringify(word) : String(word))).join(' ')}\n`);
  const module = `const console = { log: globalThis.translucentLog, table: globalThis.translucentLog };\n${text}`;
  const address = URL.createObjectURL(new Blob([module], { type: 'text/javascript' }));
  try {
    await import(address);
  } catch (error) {
    said.textContent += String(error);
  } finally {
    URL.revokeObjectURL(address);
  }
}

for (const code of document.querySelectorAll('pre > code.run')) {
  // mdBook's scripts may put marks into the block; its text stays.
  const text = code.textContent ?? '';
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'run', textContent: 'Run' });
  const said = Object.assign(document.createElement('pre'), { className: 'said', hidden: true });
  said.setAttribute('role', 'status');
  code.classList.remove('run');
  button.onclick = async () => {
    button.disabled = true;
    said.hidden = false;
    await run(text, said);
    button.disabled = false;
  };
  code.parentElement.after(button, said);
}

takeTheme();
new MutationObserver(takeTheme).observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
if (live.length > 0) {
  chooseHeads();
  import(new URL('translucent/elements/elements.js', site));
}
