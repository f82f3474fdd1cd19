import { fill } from '../texts/fill.ts';
import { useTexts } from '../texts/languages.ts';

interface Copyable {
  text: string;
  /** Shows only this many characters of the beginning and of the end. The button copies everything. */
  ends?: number;
  /** Name for screen readers, where the text itself is too long. */
  label?: string;
}

/** A value in a fixed-width font, with a button that copies it. */
export const Copyable = ({ text, ends, label }: Copyable) => {
  const texts = useTexts().list;
  return (
    <span class={ends ? 'copyable short' : 'copyable'}>
      <code title={text}>{ends ? shortened(text, ends) : text}</code>
      <button
        type="button"
        class="copy"
        data-copy={text}
        aria-label={fill(texts.copyThis, { what: label ?? text })}
      >
        {texts.copy}
      </button>
    </span>
  );
};

export const shortened = (text: string, ends: number): string =>
  text.length <= ends * 2 + 1 ? text : `${text.slice(0, ends)}…${text.slice(-ends)}`;
