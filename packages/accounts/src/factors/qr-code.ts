/** A QR code as a path of SVG, of squares with the side 1. */
export interface QrCode {
  /** Squares at each side, with the margin. */
  readonly size: number;
  /** `d` of a `path`. */
  readonly path: string;
}

// Scanners need it to find the code (ISO/IEC 18004).
const border = 4;

/** The library is loaded when the first code is made, so that no start waits for it. */
export async function qrCode(text: string): Promise<QrCode> {
  const { encodeQR } = await import('qr');
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border });
  const path = rows.flatMap((row, y) =>
    runsOf(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return { size: rows.length, path: path.join('') };
}

/** The dark squares of a row that lie side by side. */
function runsOf(row: readonly boolean[]): readonly { readonly x: number; readonly length: number }[] {
  const starts = row.flatMap((isDark, x) => (isDark && row[x - 1] !== true ? [x] : []));
  return starts.map((x) => {
    const end = row.indexOf(false, x);
    return { x, length: (end === -1 ? row.length : end) - x };
  });
}
