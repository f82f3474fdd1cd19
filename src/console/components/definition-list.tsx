import type { Child } from 'hono/jsx';

/** What is known of one thing: names and values. What is undefined is left out. */
export const Facts = ({ of }: { of: readonly (readonly [string, Child | undefined])[] }) => (
  <dl class="facts">
    {of
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
