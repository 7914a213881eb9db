// Numbers as Python packs them (carom.web.packing): base64 of 32-bit floats, or of small integers with scales.

const KINDS = { f4: Float32Array, i2: Int16Array, i1: Int8Array, u2: Uint16Array, u1: Uint8Array };

/** The numbers of a packed table, row by row: floats where it has scales, else of the kind that it was packed as. */
export function unpacked(table) {
  const text = atob(table.data), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) { bytes[i] = text.charCodeAt(i); }
  const values = new KINDS[table.kind](bytes.buffer);
  if (!table.scales) { return values; }
  const scales = unpacked(table.scales), found = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) { found[i] = values[i] * scales[i % scales.length]; }
  return found;
}
