import { Deposits } from '../components/deposits.tsx';
import type { Page } from '../page.ts';

export const money: Page = {
  path: '/money',
  title: 'Money',
  inNavigation: true,
  isLive: true,
  async render({ api }) {
    const { deposits } = await api.deposits();
    return (
      <>
        <h2 id="deposits">Deposits</h2>
        <p>
          Paid to the robot. Only what is final on chain and belongs to a verification is credited to you.
        </p>
        <Deposits rows={deposits} />
      </>
    );
  },
};
