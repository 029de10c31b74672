// The style sheet of the elements. Its colours are those of the page (a test compares them); a host page overrides them by
// rules for the element, and everything else by `::part`.

const LIGHT = `
  --paper: #faf9f5;
  --panel: #ffffff;
  --ink: #1b1e23;
  --grey: #5a606a;
  --line: #d9d7d0;
  --line-strong: #b9b6ad;
  --source: #0b57b8;
  --target: #a8430c;
  --map-paper: #f7f6f2;
  --map-ink: #14171c;
  --map-hatch: #d4d2ca;
  --map-void: #ecebe5;
  --positive: #1f7a3f;
  --negative: #6b3fa8;
  --warn: #8c2f1b;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif;
  --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'URW Palladio L', Charter, Georgia, 'DejaVu Serif', serif;
  --map-font: 13;
  --map-hatch-step: 5;
`;

const DARK = `
  --paper: #121417;
  --panel: #1a1d21;
  --ink: #eceae4;
  --grey: #a4a9b2;
  --line: #33373d;
  --line-strong: #50555d;
  --source: #7db2ff;
  --target: #f3a06b;
  --map-paper: #1d2126;
  --map-ink: #fbfaf6;
  --map-hatch: #3b4047;
  --map-void: #282c31;
  --positive: #58c97f;
  --negative: #a888ea;
  --warn: #ff9d84;
`;

const CSS = `
:host {
  color-scheme: light;{light}
  display: block;
  padding: 8px;
  background: var(--panel);
  color: var(--ink);
  font: 15px/1.5 var(--sans);
}
:host([hidden]) { display: none; }
:host([theme='dark']) { color-scheme: dark;{dark} }
@media (prefers-color-scheme: dark) { :host(:not([theme='light'])) { color-scheme: dark;{dark} } }
* { box-sizing: border-box; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
p { margin: 4px 0; }
.readout { min-height: 1.5em; color: var(--grey); font-size: 13px; }
.failed { color: var(--warn); }
label { display: block; color: var(--grey); font-size: 13px; }
textarea {
  display: block;
  width: 100%;
  min-height: 4.5em;
  padding: 8px;
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  background: var(--panel);
  color: var(--ink);
  font: inherit;
}
.translation { min-height: 1.5em; font-size: 17px; }
.drawing { display: block; position: relative; overflow: hidden; background: var(--panel); cursor: crosshair; }
canvas { display: block; }
.drawing canvas + canvas { position: absolute; top: 0; left: 0; }
.stacks { display: grid; grid-template-columns: 1fr 2fr; gap: 12px; }
.stack { display: flex; flex-direction: column-reverse; gap: 6px; margin: 0; padding: 0; border: 0; min-width: 0; }
.stack > h3 { margin: 0; font-size: 13px; font-weight: 600; }
.layer { display: flex; flex-wrap: wrap; gap: 3px; align-items: center; }
.layer > span { width: 100%; color: var(--grey); font-size: 12px; }
.head { padding: 0; border: 2px solid var(--line); border-radius: 4px; background: var(--panel); line-height: 0; cursor: pointer; }
.head[aria-pressed='true'] { border-color: var(--target); }
.tree-scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); }
.tree-scroll svg { display: block; }
.tree .edge { fill: none; stroke: var(--line); stroke-width: 1.2; }
.tree .edge.alive { stroke: var(--grey); }
.tree .edge.best { stroke: var(--target); stroke-width: 2.4; }
.tree .node rect { fill: var(--panel); stroke: var(--line-strong); }
.tree .node text { fill: var(--ink); font: 13px var(--serif); }
.tree .node .score, .tree .step-number { fill: var(--grey); font: 10.5px var(--sans); }
.tree .node.gone rect { fill: none; stroke: var(--line); }
.tree .node.gone text { fill: var(--grey); }
.tree .node.best rect { stroke: var(--target); stroke-width: 1.8; }
.tree .node.best text:not(.score) { fill: var(--target); font-weight: 700; }
.tree .node.at rect { stroke: var(--ink); stroke-width: 2.4; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 2px 8px; border-bottom: 1px solid var(--line); text-align: left; }
`;

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** The sheet that all elements share: constructed, so that a page's policy needs no inline styles. */
export function elementStyle() {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS.replace('{light}', LIGHT).replaceAll('{dark}', DARK));
  return sheet;
}
