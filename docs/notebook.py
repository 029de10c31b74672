"""One attention head in a Jupyter notebook (`pip install anywidget`).

    map = Attention(host="https://HOST/", text="A dog runs on the beach.", layer=3, head=2)
    map            # draws it; click a cell
    map.held       # {'query': 'Hund', 'key': 'dog', 'weight': 0.74…, …}

HOST serves the npm package as `translucent/` and a model as `en-de/`, both with `Access-Control-Allow-Origin`.
"""

import anywidget
import traitlets


class Attention(anywidget.AnyWidget):
    """The map of a head over a sentence; `held` is the cell that was clicked."""

    _esm = """
    async function render({ model, el }) {
      await import(model.get("host") + "translucent/elements/elements.js");
      const map = document.createElement("translucent-attention");
      const set = () => ["text", "kind", "layer", "head"].forEach((name) => map.setAttribute(name, model.get(name)));
      map.setAttribute("model", model.get("host") + "en-de/");
      map.addEventListener("translucent-hold", ({ detail }) => { model.set("held", detail ?? {}); model.save_changes(); });
      model.on("change", set);
      set();
      el.append(map);
    }
    export default { render };
    """
    host = traitlets.Unicode().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Unicode("cross").tag(sync=True)
    layer = traitlets.Int(1).tag(sync=True)
    head = traitlets.Int(1).tag(sync=True)
    held = traitlets.Dict().tag(sync=True)
