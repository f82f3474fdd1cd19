import type { EnclaveDeps } from './deps.ts';
import type { Enclave } from './port.ts';
import { assessKyt, assessSanction, assessWco } from './risk/assess.ts';
import { list as listVasps } from './vasps/list.ts';
import { get, list } from './verification/read.ts';
import { inquireTransaction, reportError, reportTransaction, setCredited } from './verification/reports.ts';
import { verifyAccount, verifyUser } from './verification/verify.ts';

export const createEnclave = (deps: EnclaveDeps): Enclave => ({
  self: caller => ({ vaspId: caller }),
  vasps: async query => listVasps(deps, query),
  verifyAccount: (request, caller) => verifyAccount(deps, request, caller),
  verifyUser: (request, caller, inSameTransaction) => verifyUser(deps, request, caller, inSameTransaction),
  reportTransaction: (request, caller) => reportTransaction(deps, request, caller),
  reportError: (request, caller) => reportError(deps, request, caller),
  inquireTransaction: (request, caller) => inquireTransaction(deps, request, caller),
  get: (uuid, caller) => get(deps, uuid, caller),
  list: (query, caller) => list(deps, query, caller),
  assessSanction: (request, caller) => assessSanction(deps, request, caller),
  assessKyt: (request, caller) => assessKyt(deps, request, caller),
  assessWco: (request, caller) => assessWco(deps, request, caller),
  setCredited: (uuid, isCredited, caller) => setCredited(deps, uuid, isCredited, caller),
});
