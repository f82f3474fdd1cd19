import { servedAt } from '../kernel/hosts.ts';
import { Failure } from './command.ts';
import { isRobotVasp } from './connection.ts';

/** Where port and address to listen on are set. `or`: what else helps where the port is taken. */
interface ListensAt {
  port: string;
  host: string;
  or?: string;
}
type ListenError = NodeJS.ErrnoException & { address?: string; port?: number };
const OF_THE_PORT = ['EADDRINUSE', 'EACCES'];

/** Throws a `Failure` with what to set where nobody can listen, and any other error as it is. */
export const cannotListen =
  ({ port, host, or = '' }: ListensAt) =>
  async (error: ListenError): Promise<never> => {
    const { code = 'LISTEN', message, syscall = '' } = error;
    // The system looks the name of a host up first.
    if (!['listen', 'getaddrinfo'].includes(syscall)) throw error;
    const isOurs = code === 'EADDRINUSE' && (await isRobotVasp(servedAt(error.address!, error.port!)));
    const advice = OF_THE_PORT.includes(code)
      ? `${isOurs ? 'A robot-vasp runs there. Stop it, or set' : 'Set'} ${port} to a free port${or}.`
      : `Set ${host} to an address of this machine.`;
    throw new Failure(1, code, `${message}. ${advice}`);
  };
