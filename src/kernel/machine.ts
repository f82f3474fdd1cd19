/** A lifecycle as data: states, and named arrows between them. A state without arrows is final. */

type Table<S extends string> = { readonly [From in S]: { readonly [event: string]: S } };
type EventsOf<T> = { [From in keyof T]: keyof T[From] }[keyof T] & string;

export interface Machine<S extends string, E extends string, N extends string = string> {
  readonly name: N;
  readonly initial: S;
  readonly states: readonly S[];
  readonly arrows: { readonly [From in S]: { readonly [event: string]: S } };
  /** The state after `event`. Undefined: `from` has no such arrow. */
  next(from: S, event: E): S | undefined;
}

export type EventOf<M> = M extends Machine<string, infer E> ? E : never;

export class IllegalTransition extends Error {
  constructor(machine: string, from: string, event: string) {
    super(`${machine}: no arrow '${event}' from ${from}`);
    this.name = 'IllegalTransition';
  }
}

export function machine<const N extends string, const T extends Table<keyof T & string>>(
  name: N,
  initial: keyof T & string,
  table: T,
): Machine<keyof T & string, EventsOf<T>, N> {
  type S = keyof T & string;
  return {
    name,
    initial,
    states: Object.keys(table) as S[],
    arrows: table,
    next(from, event) {
      const arrows: { readonly [event: string]: S } = Object.hasOwn(table, from) ? table[from] : {};
      return Object.hasOwn(arrows, event) ? arrows[event] : undefined;
    },
  };
}
