import { nearestName } from '../../kernel/misspelling.ts';

/** Names of the system and of common tools that are near to one of ours. npm sets NODE for every script. */
const COMMON = new Set(
  'NODE HOME HOSTS HOSTNAME HOSTTYPE LOGNAME MAIL PATH PWD ROOT SHELL TERM USER TEST POST SORT FONT BOOT NOTE MODE COST POOL PART TOOL DATABASE_URL DATABASE_HOST DATABASE_PORT LOG_LEVELS NODE_ENV'.split(
    ' ',
  ),
);
const OF_COMMANDS = ['ROBOT_VASP_URL', 'ROBOT_VASP_API_KEY'];

/** One problem for each variable that is almost one of ours: its value would be ignored. */
export const misspelled = (env: Record<string, unknown>, ours: readonly string[]): string[] =>
  Object.keys(env)
    .filter(name => /^[A-Z][A-Z0-9_]+$/.test(name))
    .filter(name => !ours.includes(name) && !OF_COMMANDS.includes(name) && !COMMON.has(name))
    .flatMap(name => {
      const nearest = nearestName(name, ours);
      return nearest === undefined ? [] : [`${name} is not a variable of robot-vasp; ${nearest} is`];
    });
