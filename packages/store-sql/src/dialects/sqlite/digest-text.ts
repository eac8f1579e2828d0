/** A digest as it crosses to the writer thread: a string of one character a byte. */
export function digestToText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
