import type { Client } from '../../client/client.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import type { DriverAction, DriverRequest } from '../../contract/driver.ts';
import { refusals } from '../../contract/refusals.ts';
import { systemClock, toIso } from '../../kernel/clock.ts';
import type { Driven } from './port.ts';

export interface Act {
  action: DriverAction;
  symbol: AssetSymbol;
  amount: string;
  /** Id of the robot's user who is paid. */
  user: string;
  /** Default: the first customer. */
  customer?: Customer;
  /** Anything else that the driver accepts. */
  more?: Partial<DriverRequest['parameters']>;
}

const ANSWER_WITHIN_MS = 60_000;

/** Lets the reference VASP act by its driver. Throws `Refusal` for an unknown user of the robot. */
export const driveWith =
  (api: Client, { endpoints, token, customers }: Driven) =>
  async ({ action, symbol, amount, user: id, customer, more }: Act): Promise<void> => {
    const { robot, users } = await api.info();
    const user = users.find(each => each.id === id);
    if (!user) throw refusals.userNotFound(id);
    const { kind, names, accounts } = user;
    const body = {
      runId: 'console',
      module: 'none',
      action,
      parameters: {
        symbol,
        amount,
        customer: customer ?? customers.customers[0]!,
        beneficiary: { vaspId: robot.vaspId, user: { kind, names }, account: accounts[symbol] },
        ...more,
      },
      answerBy: toIso(systemClock.now() + ANSWER_WITHIN_MS),
    };
    const answer = await fetch(endpoints.driver, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the driver answered ${answer.status}: ${await answer.text()}`);
  };
