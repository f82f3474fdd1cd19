// Imported eagerly, so that the first test of a suite does not wait for them.
import './chains/ethereum.ts';
import './chains/xrpl.ts';
import './devnet/ethereum.ts';
import './devnet/xrpl/ledger.ts';
import { loadConfig } from './app/config/config.ts';
import { type Client, client, type RobotUser } from './client/client.ts';
import { type Running, serve } from './main.ts';
import { checkWith, environmentOf, mailboxOf, OPTION_OF, requestsOf } from './testing/check.ts';
import type * as Declared from './testing/robot.ts';

export { Refused } from './client/client.ts';

/** The types of the package are in `testing/robot.ts`. */
export const createRobot: typeof Declared.createRobot = async (options = {}) => {
  const running = await serve(loadConfig(environmentOf(options), undefined, OPTION_OF));
  // Not over the network: the suite may replace `fetch`.
  const api = client(running.url, { send: request => running.app.fetch(request) });
  try {
    await running.ready();
    if (options.referenceVasp) await api.switchReferenceVasp(true);
    return robotAt(running, api, await api.info());
  } catch (error) {
    await running.stop();
    throw error;
  }
};

function robotAt({ url, stop }: Running, api: Client, info: Declared.Robot['info']): Declared.Robot {
  const users = Object.fromEntries(info.users.map(user => [user.id, user]));
  const user = (id: string): RobotUser => {
    const found = Object.hasOwn(users, id) ? users[id] : undefined;
    if (found) return found;
    throw new RangeError(`There is no user ${id}. Choose one of ${Object.keys(users).join(', ')}.`);
  };
  const [vaspId, robotVaspId] = [info.vasp.vaspId, info.robot.vaspId];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= stop();
    return closing;
  };
  return {
    url,
    vaspId,
    robotVaspId,
    api,
    info,
    users,
    user,
    devnet: { ethereum: `${url}/devnet/ethereum`, xrpl: `${url.replace(/^http/, 'ws')}/devnet/xrpl` },
    clock: { now: async () => (await api.clock()).now, advance: api.advance, idle: () => api.advance('0s') },
    mailbox: mailboxOf(api),
    requests: requestsOf({ vaspId, robotVaspId, user }),
    faucet: api.faucet,
    control: api.setControl,
    timeline: async uuid => (await api.timeline(uuid)).timeline,
    check: options => checkWith(api, options),
    reset: async () => void (await api.reset()),
    close,
    [Symbol.asyncDispose]: close,
  };
}
