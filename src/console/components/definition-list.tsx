import type { Child } from 'hono/jsx';

/** Names and values of one thing. Undefined values are left out. */
export const DefinitionList = ({ of }: { of: readonly (readonly [string, Child | undefined])[] }) => (
  <dl class="definition-list">
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
