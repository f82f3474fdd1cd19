import type { AssetSymbol } from '../contract/assets.ts';
import type { CallbackType } from '../contract/callbacks.ts';
import type { PlanName } from '../contract/plans.ts';
import type { ModuleContext } from './context.ts';

/** One case of the official list of tests, as data and steps. */
export interface PlanModule<W extends string = string> {
  /** Stable: files of expected failures name it. Its first letter tells the plan. */
  readonly id: string;
  readonly title: string;
  readonly needs: readonly Need[];
  /** For which symbols it runs, once for each; empty: once. Default: all. */
  readonly symbols?: readonly AssetSymbol[];
  /** No other module runs meanwhile: it moves the clock, orders a fault of any verification, or makes much load. */
  readonly alone?: true;
  /** Most of its time it waits for the VASP or for its ledger. */
  readonly mostlyWaits?: true;
  /** Nothing is paid in it: it plays while another module holds the ledger. */
  readonly paysNothing?: true;
  /** Others play while it holds the ledger. It comes after all other modules of its symbol that pay. */
  readonly letsOthersPlay?: true;
  readonly conditions: Readonly<Record<W, Condition>>;
  /** Throws `Stop` and `Skip` of stop.ts. */
  run(context: ModuleContext<W>): Promise<void>;
  /** Real time from the end of `run` to `late`, at least. Default: 3 s. */
  readonly lateAfterMs?: number;
  /** A timer of the VASP may end only then: where it goes by the clock of the sandbox, that one is moved before `late`. */
  readonly awaitsTimers?: true;
  /** The VASP gets this callback of `memo.uuid` when it needs it, or in `late`. */
  readonly holdsBack?: CallbackType;
  late?(context: ModuleContext<NoInfer<W>>, memo: unknown): Promise<void>;
}

export type Need = 'customer' | 'driver' | 'moved time' | 'robot funds' | 'faucet' | 'token';

export interface Condition {
  readonly clause: string;
  /** Default: FAILURE. */
  readonly severity?: 'FAILURE' | 'WARNING';
  readonly text: string;
}

/** Conditions that only some cases of a module have. */
export const onlyIf = <W extends string>(
  holds: unknown,
  conditions: Readonly<Record<W, Condition>>,
): Readonly<Record<W, Condition>> => (holds ? conditions : ({} as typeof conditions));

/** Keeps the words of the conditions as types. */
export const planModule = <const W extends string>(module: PlanModule<W>): PlanModule =>
  module as unknown as PlanModule;

const PLANS: Readonly<Record<string, Exclude<PlanName, 'complete'>>> = {
  W: 'withdrawal',
  D: 'deposit',
  C: 'callbacks',
  S: 'security',
  R: 'risk',
};

export const planOf = ({ id }: PlanModule): Exclude<PlanName, 'complete'> => PLANS[id[0]!]!;

export const clausesOf = ({ conditions }: PlanModule): string[] => [
  ...new Set(Object.values(conditions).map(({ clause }) => clause)),
];
