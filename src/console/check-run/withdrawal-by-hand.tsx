import type { Answers, Client, Info } from '../../client/client.ts';
import { ASSETS, type AssetSymbol, splitAddress } from '../../contract/assets.ts';
import type { ByHand } from '../../contract/plans.ts';
import { parseUnits, toUnits } from '../../kernel/decimal.ts';
import { parseJson } from '../../kernel/json.ts';
import { ActionForm } from '../components/form.tsx';
import { withQuery } from '../components/table.tsx';
import { Copyable } from '../components/text.tsx';
import { Badge, VerificationLink } from '../components/values.tsx';
import { accountData, amountData, type Datum, STEPS, type StepName, Wizard } from '../components/wizard.tsx';
import { hashToReport } from '../hash-to-report.ts';
import { type Action, done, type PageContext } from '../page.ts';
import type { Texts } from '../texts/english.ts';
import { useTexts } from '../texts/languages.ts';
import { type Module, nameOf } from './modules.tsx';

type Verification = Answers['verifications']['verifications'][number];

const LAST: Record<ByHand['action'], StepName> = {
  'verify-user': 'verify',
  'send-without-report': 'pay',
  withdraw: 'report',
};

/** A withdrawal by hand as far as it has come. */
interface ByHandState {
  of: ByHand;
  module: Module;
  verification: Verification | undefined;
  txHash: string | undefined;
  chain: Info['chains'][number] | undefined;
}

/** Undefined: a person has nothing to do in this module. */
export async function byHandOf(api: Client, module: Module | undefined): Promise<ByHandState | undefined> {
  if (!module?.byHand || module.status === 'FINISHED') return undefined;
  const { byHand } = module;
  const call = module.exchanges.findLast(each => isCallFor(byHand, each));
  const verificationUuid = call?.verificationUuid ?? undefined;
  const [{ chains }, found] = await Promise.all([
    api.info(),
    verificationUuid === undefined ? undefined : api.verifications({ verificationUuid }),
  ]);
  const verification = found?.verifications[0];
  return {
    of: byHand,
    module,
    verification,
    txHash: verification && (await hashToReport(api, verification)),
    chain: chains.find(({ symbol }) => symbol === byHand.symbol),
  };
}

/** The verification of the order, not one that only came close. */
function isCallFor({ symbol, amount }: ByHand, { operation, status, request }: Module['exchanges'][number]): boolean {
  if (operation !== 'verify-user' || status !== 200) return false;
  const { assetInfo } = (parseJson(request ?? '') ?? {}) as { assetInfo?: { symbol?: unknown; amount?: unknown } };
  const { decimals } = ASSETS[symbol];
  return (
    assetInfo?.symbol === symbol && parseUnits(String(assetInfo.amount), decimals) === parseUnits(amount, decimals)
  );
}

/** Undefined: all is done. */
function nextStep({ of, verification, txHash }: ByHandState): StepName | undefined {
  const next = verification?.result !== 'VERIFIED' ? 'verify' : txHash === undefined ? 'pay' : 'report';
  const isDone = STEPS.indexOf(next) > STEPS.indexOf(LAST[of.action]) || verification?.txHash;
  return isDone ? undefined : next;
}

/** The step that is next has its data to copy, and a button that does it. */
export const WithdrawalByHand = ({ of, here }: { of: ByHandState; here: string }) => {
  const { wizard } = useTexts();
  const next = nextStep(of);
  const canDo = next !== undefined && (next !== 'pay' || of.chain?.embedded);
  return (
    <Wizard
      steps={STEPS.slice(0, STEPS.indexOf(LAST[of.of.action]) + 1)}
      next={next}
      meaning={wizard.withdrawal[next ?? 'over']}
      data={next === undefined ? [] : DATA[next](of, wizard)}
    >
      {canDo ? (
        <ActionForm
          to={`${here}/${next}`}
          values={{ module: nameOf(of.module) }}
          label={wizard.doIt}
          describe={label => `${label}: ${wizard[next]}`}
          tone="primary"
        />
      ) : null}
    </Wizard>
  );
};

type Words = Texts['wizard'];

const DATA: Record<StepName, (state: ByHandState, wizard: Words) => Datum[]> = {
  verify: ({ of, verification }, wizard) => [
    [wizard.vasp, <Copyable text={of.vaspId} />],
    [wizard.name, <Copyable text={of.name} />],
    ...accountData(of.account, wizard),
    amountData(of, wizard),
    verification
      ? [wizard.result, <Badge of={verification.result ?? verification.status} />]
      : [
          wizard.elsewhere,
          <a href={withQuery('/console/send', { action: 'verify-user', ...requestOf(of) })}>{wizard.asRequest}</a>,
        ],
  ],
  pay: ({ of, chain, verification }, wizard) => [
    ...accountData(of.account, wizard),
    amountData(of, wizard),
    [wizard.verification, <VerificationLink uuid={verification!.verificationUuid} />],
    [wizard.elsewhere, <WalletLink to={WALLET_LINKS[of.symbol](of, chain?.id)} />],
  ],
  report: ({ verification, txHash }, wizard) => [
    [wizard.verification, <Copyable text={verification!.verificationUuid} />],
    [wizard.hash, <Copyable text={txHash!} />],
    [wizard.elsewhere, <VerificationLink uuid={verification!.verificationUuid} />],
  ],
};

const WalletLink = ({ to }: { to: string }) => (
  <>
    <a href={to}>{useTexts().wizard.inWallet}</a> <Copyable text={to} ends={16} />
  </>
);

const requestOf = ({ symbol, user, amount }: ByHand) => ({ symbol, user, amount });

const WALLET_LINKS: Record<AssetSymbol, (payment: ByHand, chainId: number | null | undefined) => string> = {
  /** EIP-681 */
  ETH: ({ account, amount }, chainId) =>
    `ethereum:${account}${chainId ? `@${chainId}` : ''}?value=${toUnits(amount, ASSETS.ETH.decimals)}`,
  /** No standard names it. */
  XRP({ account, amount }) {
    const [address, tag] = splitAddress(account);
    return withQuery(`ripple:${address}`, { amount, dt: tag });
  },
};

/** As the tested VASP. `act` returns what was done; undefined: there is nothing to do any more. */
const asVasp =
  (act: (state: ByHandState, context: PageContext) => Promise<string | undefined>): Action =>
  async (context, { module: name = '' }) => {
    const { api, params, texts } = context;
    const { modules } = await api.run(params.id!);
    const state = await byHandOf(
      api,
      modules.find(module => nameOf(module) === name),
    );
    const outcome = state && (await act(state, context));
    return outcome === undefined ? { kind: 'failed', text: texts.wizard.over } : done(outcome);
  };

export const byHandActions: Record<StepName, Action> = {
  verify: asVasp(async ({ of }, { api, texts }) => {
    for (const operation of ['verify-account', 'verify-user']) {
      const { method, path, body } = await api.readyRequest(operation, requestOf(of));
      await api.call(method, path, body);
    }
    return texts.wizard.verifyDone;
  }),
  pay: asVasp(async ({ of: { symbol, account, amount } }, { api, texts }) => {
    await api.faucet(symbol, account, amount);
    return texts.wizard.payDone;
  }),
  report: asVasp(async ({ verification, txHash }, { api, texts }) => {
    if (!verification || txHash === undefined) return undefined;
    await api.reportTransaction(verification.verificationUuid, txHash);
    return texts.actions.reported;
  }),
};
