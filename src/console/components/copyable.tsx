interface Copyable {
  text: string;
  /** Shows so many characters of the beginning and the end only; all of it is copied. */
  ends?: number;
  /** What it is, for screen readers, where the text itself says too much. */
  what?: string;
}

/** An address, a hash, an id, a command: in a fixed-width font, with a button that copies it. */
export const Copyable = ({ text, ends, what }: Copyable) => (
  <span class={ends ? 'copyable short' : 'copyable'}>
    <code title={text}>{ends ? shortened(text, ends) : text}</code>
    <button type="button" class="copy" data-copy={text} aria-label={`Copy ${what ?? text}`}>
      Copy
    </button>
  </span>
);

export const shortened = (text: string, ends: number): string =>
  text.length <= ends * 2 + 1 ? text : `${text.slice(0, ends)}…${text.slice(-ends)}`;
