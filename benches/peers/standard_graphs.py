"""The graphs that onnxruntime-web gets where nobody wrote any: optimum's export of a MarianMT folder, and dynamic int8.

usage: python standard_graphs.py FOLDER OUTPUT   (a folder of engine_models.py)"""

import glob
import os
import sys

from onnxruntime.quantization import QuantType, quantize_dynamic
from optimum.exporters.onnx import main_export

folder, output = sys.argv[1:]
main_export(
    folder, output=output, task="text2text-generation-with-past", device="cpu", do_validation=False, no_post_process=False
)
for path in sorted(glob.glob(os.path.join(output, "*_model.onnx")) + glob.glob(os.path.join(output, "*_with_past_model.onnx"))):
    quantize_dynamic(
        path, path.replace(".onnx", "_quantized.onnx"), weight_type=QuantType.QInt8, per_channel=False, reduce_range=False,
        extra_options=dict(MatMulConstBOnly=True),
    )
# Not measured: the decoder in one graph with an `If` is slower than its two halves.
for path in glob.glob(os.path.join(output, "*merged*")) + [os.path.join(output, "model.safetensors")]:
    if os.path.exists(path):
        os.remove(path)
