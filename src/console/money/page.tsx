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
  async render({ api }) {
    const [{ now }, { balances }, { transfers }, { deposits }] = await Promise.all([
      api.clock(),
      api.balances(),
      api.transfers(),
      api.deposits(),
    ]);
    return (
      <>
        <h2 id="balances">Balances</h2>
        <p>The money that you paid to users of the robot, and how much of it they can pay back.</p>
        <Balances rows={balances} />
        {pictured(balances, transfers, deposits).map(each => (
          <BalancesOverTime {...each} until={Date.parse(now)} />
        ))}
        <h2 id="transfers">Transfers</h2>
        <p>Payments of the robot to you.</p>
        <Transfers rows={transfers} />
        <h2 id="deposits">Deposits</h2>
        <p>
          Payments to the robot. A deposit is credited when it is final on chain and belongs to a
          verification.
        </p>
        <Deposits rows={deposits} />
      </>
    );
  },
};
