// Refuses modules with relaxed instructions (opcodes from 0xfd 0x80 0x02 on), as browsers without them do.
const validate = WebAssembly.validate;
WebAssembly.validate = (bytes) => {
  const found = bytes.some((byte, i) => byte === 253 && bytes[i + 1] >= 128 && bytes[i + 2] === 2);
  return !found && validate.call(WebAssembly, bytes);
};
