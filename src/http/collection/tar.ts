const BLOCK = 512;
const SIZES = { name: 100, mode: 8, owner: 8, group: 8, size: 12, time: 12 };

/** Text files as a tar archive (POSIX ustar). A path has at most 100 ASCII characters. */
export function tar(files: readonly (readonly [path: string, text: string])[]): Uint8Array<ArrayBuffer> {
  const parts = files.flatMap(([path, text]) => {
    const content = new TextEncoder().encode(text);
    return [headerOf(path, content.length), padded(content)];
  });
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 2 * BLOCK));
  let position = 0;
  for (const part of parts) {
    all.set(part, position);
    position += part.length;
  }
  return all;
}

function headerOf(path: string, size: number): Uint8Array {
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  const start = [
    path.padEnd(SIZES.name, '\0'),
    octal(0o644, SIZES.mode),
    octal(0, SIZES.owner),
    octal(0, SIZES.group),
    octal(size, SIZES.size),
    octal(0, SIZES.time),
  ].join('');
  const withSum = (sum: string) => new TextEncoder().encode(`${start}${sum}0${'\0'.repeat(100)}ustar\x0000`);
  // The checksum is that of the header with blanks in its place.
  const sum = withSum(' '.repeat(8)).reduce((total, byte) => total + byte, 0);
  return padded(withSum(`${sum.toString(8).padStart(6, '0')}\0 `));
}

function padded(content: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(content.length / BLOCK) * BLOCK);
  whole.set(content);
  return whole;
}
