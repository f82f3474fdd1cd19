/** A piece of time, in milliseconds of one clock. */
export interface Span {
  from: number;
  to: number;
}

/** The time since `from` that at least one of them covers. */
export function coveredSince(from: number, spans: readonly Span[]): number {
  const later = spans.filter(({ to }) => to > from).sort((one, other) => one.from - other.from);
  let sum = 0;
  let end = from;
  for (const span of later) {
    if (span.to <= end) continue;
    sum += span.to - Math.max(span.from, end);
    end = span.to;
  }
  return sum;
}
