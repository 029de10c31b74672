"""The strongest opponent that we could write for onnxruntime-web: two graphs for each model with only the nodes that are
needed (no mask, shape or position arithmetic; the encoder's graph gives the cross keys and values; one decoder graph whose
past may be empty), as f32 and as dynamic int8. Random weights.

usage: python minimal_graphs.py OUTPUT [S M]   -> OUTPUT/S/{enc,dec}{,_quantized}.onnx"""

import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from shapes import SHAPES

random = np.random.default_rng(1)
POSITIONS = 512


def info(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


class Graph:
    """A graph under construction: every method adds nodes and gives the name of what they make."""

    def __init__(self):
        self.nodes, self.constants, self.count = [], [], 0

    def constant(self, array):
        self.count += 1
        name = f"c{self.count}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def ints(self, *values):
        return self.constant(np.array(values, "i8"))

    def weight(self, *shape):
        return self.constant((random.standard_normal(shape) * 0.05).astype("f"))

    def op(self, kind, *inputs, out=None, outputs=1, **attributes):
        names = [out] if out else [f"t{self.count + j}" for j in range(outputs)]
        self.count += outputs
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names if outputs > 1 else names[0]

    def linear(self, x, inner, outer):
        return self.op("Add", self.op("MatMul", x, self.weight(inner, outer)), self.weight(outer))

    def norm(self, x, d):
        return self.op("LayerNormalization", x, self.constant(np.ones(d, "f")), self.constant(np.zeros(d, "f")), axis=-1)

    def embedding(self, shape):
        token = self.op("Gather", self.weight(shape.vocab_size, shape.d_model), "ids")
        return self.op("Add", token, self.op("Gather", self.weight(POSITIONS, shape.d_model), "pos"))

    def feed_forward(self, x, shape):
        hidden = self.op("Relu", self.linear(x, shape.d_model, shape.d_ff))
        return self.norm(self.op("Add", x, self.linear(hidden, shape.d_ff, shape.d_model)), shape.d_model)

    def attention(self, query, key, value):
        """The scale 1/√d_k is thought to stand in the weights."""
        return self.op("MatMul", self.op("Softmax", self.op("MatMul", query, key), axis=-1), value)

    def save(self, path, inputs, outputs):
        graph = helper.make_graph(self.nodes, "graph", inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model)
        onnx.save(model, path)


def encoder(path, shape):
    g, d, heads = Graph(), shape.d_model, shape.n_heads
    x = g.embedding(shape)
    split, joined = g.ints(0, heads, d // heads), g.ints(0, d)

    def per_head(y, perm, out=None):
        return g.op("Transpose", g.op("Reshape", y, split), perm=perm, out=out)

    rows, columns = [1, 0, 2], [1, 2, 0]
    for _ in range(shape.encoder_layers):
        query, key, value = g.op("Split", g.linear(x, d, 3 * d), g.ints(d, d, d), outputs=3, axis=1)
        a = g.attention(per_head(query, rows), per_head(key, columns), per_head(value, rows))
        a = g.op("Reshape", g.op("Transpose", a, perm=rows), joined)
        x = g.norm(g.op("Add", x, g.linear(a, d, d)), d)
        x = g.feed_forward(x, shape)
    outputs = []
    for layer in range(shape.decoder_layers):
        key, value = g.op("Split", g.linear(x, d, 2 * d), g.ints(d, d), outputs=2, axis=1)
        per_head(key, columns, out=f"ck{layer}")
        per_head(value, rows, out=f"cv{layer}")
        outputs += [
            info(f"ck{layer}", TensorProto.FLOAT, [heads, d // heads, "source"]),
            info(f"cv{layer}", TensorProto.FLOAT, [heads, "source", d // heads]),
        ]
    g.save(path, [info("ids", TensorProto.INT64, ["source"]), info("pos", TensorProto.INT64, ["source"])], outputs)


def decoder(path, shape):
    g, d, heads = Graph(), shape.d_model, shape.n_heads
    d_k = d // heads
    x = g.embedding(shape)
    three, one, joined = g.ints(0, 3 * heads, 1, d_k), g.ints(0, heads, 1, d_k), g.ints(0, d)
    inputs = [info("ids", TensorProto.INT64, ["rows"]), info("pos", TensorProto.INT64, [1])]
    outputs = [info("logits", TensorProto.FLOAT, ["rows", shape.vocab_size])]
    for layer in range(shape.decoder_layers):
        qkv = g.op("Reshape", g.linear(x, d, 3 * d), three)
        query, key, value = g.op("Split", qkv, g.ints(heads, heads, heads), outputs=3, axis=1)
        key = g.op("Concat", f"pk{layer}", key, axis=2, out=f"k{layer}")
        value = g.op("Concat", f"pv{layer}", value, axis=2, out=f"v{layer}")
        a = g.attention(query, g.op("Transpose", key, perm=[0, 1, 3, 2]), value)
        x = g.norm(g.op("Add", x, g.linear(g.op("Reshape", a, joined), d, d)), d)
        a = g.attention(g.op("Reshape", g.linear(x, d, d), one), f"ck{layer}", f"cv{layer}")
        x = g.norm(g.op("Add", x, g.linear(g.op("Reshape", a, joined), d, d)), d)
        x = g.feed_forward(x, shape)
        inputs += [
            info(f"pk{layer}", TensorProto.FLOAT, ["rows", heads, "past", d_k]),
            info(f"pv{layer}", TensorProto.FLOAT, ["rows", heads, "past", d_k]),
            info(f"ck{layer}", TensorProto.FLOAT, [heads, d_k, "source"]),
            info(f"cv{layer}", TensorProto.FLOAT, [heads, "source", d_k]),
        ]
        outputs += [
            info(f"k{layer}", TensorProto.FLOAT, ["rows", heads, "length", d_k]),
            info(f"v{layer}", TensorProto.FLOAT, ["rows", heads, "length", d_k]),
        ]
    logits = g.op("MatMul", x, g.weight(d, shape.vocab_size))
    g.op("Add", logits, g.constant(np.zeros(shape.vocab_size, "f")), out="logits")
    g.save(path, inputs, outputs)


def main(output, names):
    for name in names or SHAPES:
        folder = os.path.join(output, name)
        os.makedirs(folder, exist_ok=True)
        encoder(os.path.join(folder, "enc.onnx"), SHAPES[name])
        decoder(os.path.join(folder, "dec.onnx"), SHAPES[name])
        for part in ("enc", "dec"):
            path = os.path.join(folder, part)
            quantize_dynamic(
                f"{path}.onnx", f"{path}_quantized.onnx", weight_type=QuantType.QInt8, extra_options=dict(MatMulConstBOnly=True)
            )


main(sys.argv[1], sys.argv[2:])
