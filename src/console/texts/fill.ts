type Values = Readonly<Record<string, string | number>>;

/** The text with its `{places}` filled. */
export const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

/** A text for each number of things. `{count}` is the number. */
interface Counted {
  readonly zero?: string;
  readonly one: string;
  readonly other: string;
}

export const counted = ({ zero, one, other }: Counted, count: number, values: Values = {}): string =>
  fill((count === 0 && zero) || (count === 1 ? one : other), { count, ...values });
