"""One node that does nothing: what a session of it takes is the start of onnxruntime-web itself.

usage: python identity_graph.py OUTPUT.onnx"""

import sys

import onnx
from onnx import TensorProto, helper

value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1])
graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "identity", [value("x")], [value("y")])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
