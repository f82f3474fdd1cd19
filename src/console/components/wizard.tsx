import type { Child } from 'hono/jsx';
import { splitAddress } from '../../contract/assets.ts';
import type { Texts } from '../texts/english.ts';
import { fill, useTexts } from '../texts/languages.ts';
import { Copyable, DefinitionList } from './text.tsx';
import { Badge } from './values.tsx';

/** The steps of a test by hand, in both directions. */
export const STEPS = ['verify', 'pay', 'report'] as const;
export type StepName = (typeof STEPS)[number];

/** A name and a value of the step. */
export type Datum = readonly [string, Child | undefined];

interface Wizard {
  steps: readonly StepName[];
  /** Undefined: all is done. */
  next: StepName | undefined;
  meaning: string;
  /** To copy, and to look at. */
  data: readonly Datum[];
  /** The form that does the step. */
  children?: Child;
}

/** Of its steps only the next one is open. At the end the text and the data stand below the steps. */
export const Wizard = ({ steps, next, ...content }: Wizard) => {
  const { wizard } = useTexts();
  const at = next === undefined ? steps.length : steps.indexOf(next);
  return (
    <section aria-labelledby="wizard">
      <h2 id="wizard">{wizard.title}</h2>
      <ol class="wizard">
        {steps.map((step, position) => (
          <li class={position === at ? 'now' : undefined} aria-current={position === at ? 'step' : undefined}>
            <h3>
              {wizard[step]} {position < at ? <Badge of={wizard.done} tone="good" /> : null}
            </h3>
            {position === at ? <Content {...content} /> : null}
          </li>
        ))}
      </ol>
      {next === undefined ? <Content {...content} /> : null}
    </section>
  );
};

const Content = ({ meaning, data, children }: Pick<Wizard, 'meaning' | 'data' | 'children'>) => (
  <>
    <p>{meaning}</p>
    <DefinitionList of={data} />
    {children}
  </>
);

/** An account of the XRP Ledger has a tag. */
export function accountData(account: string, wizard: Texts['wizard'], name = wizard.account): Datum[] {
  const [address, tag] = splitAddress(account);
  return [
    [name, <Copyable text={address} />],
    [wizard.tag, tag === undefined ? undefined : <Copyable text={tag} />],
  ];
}

export const amountData = ({ amount, symbol }: { amount: string; symbol: string }, wizard: Texts['wizard']): Datum => [
  fill(wizard.amountIn, { symbol }),
  <Copyable text={amount} />,
];
