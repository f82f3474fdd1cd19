import type { Page } from '../page.ts';
import { BalancesOverTime } from '../pictures/balances-over-time.tsx';
import { Balances } from './balances.tsx';
import { pictured } from './changes.ts';
import { Deposits } from './deposits.tsx';
import { Transfers } from './transfers.tsx';

export const money: Page = {
  path: '/money',
  title: 'Money',
  group: 'Look',
  isLive: true,
  async render({ api, texts: { money: texts } }) {
    const [{ now }, { balances }, { transfers }, { deposits }] = await Promise.all([
      api.clock(),
      api.balances(),
      api.transfers(),
      api.deposits(),
    ]);
    return (
      <>
        <h2 id="balances">{texts.balances}</h2>
        <p>{texts.balancesMeaning}</p>
        <Balances rows={balances} />
        {pictured(balances, transfers, deposits).map(each => (
          <BalancesOverTime {...each} until={Date.parse(now)} />
        ))}
        <h2 id="transfers">{texts.transfers}</h2>
        <p>{texts.transfersMeaning}</p>
        <Transfers rows={transfers} />
        <h2 id="deposits">{texts.deposits}</h2>
        <p>{texts.depositsMeaning}</p>
        <Deposits rows={deposits} />
      </>
    );
  },
};
