import type { Order } from './calls.ts';
import type { Methods } from './methods.ts';

type Verdict = Order<'reportError'>['result'];

/** The calls that are made most often take the members of their body one after another. */
export const shortCalls = (api: Methods) => ({
  reportTransaction: (verificationUuid: string, txHash: string, vout?: string) =>
    api.reportTransaction({ verificationUuid, txHash, vout }),
  reportError: (verificationUuid: string, result: Verdict, reason: string, message?: string) =>
    api.reportError({ verificationUuid, result, reason, message }),
  inquireTransaction: (verificationUuid: string) => api.inquireTransaction({ verificationUuid }),
  assessSanction: (verificationUuid: string) => api.assessSanction({ verificationUuid }),
  assessKyt: (verificationUuid: string) => api.assessKyt({ verificationUuid }),
  assessWco: (verificationUuid: string) => api.assessWco({ verificationUuid }),
  balance: (vaspId: string, symbol: string, address: string) => api.balance({ vaspId, symbol, address }),
  robotInquire: (verificationUuid: string) => api.robotInquire({ verificationUuid }),
  robotWithdraw: (verificationUuid: string, omitTxReport?: boolean) =>
    api.robotWithdraw({ verificationUuid, omitTxReport }),
  robotReport: (verificationUuid: string, txHash: string) => api.robotReport({ verificationUuid, txHash }),
  robotReportError: (verificationUuid: string, result: Verdict, reason: string, message?: string) =>
    api.robotReportError({ verificationUuid, result, reason, message }),
  checkIvms101: (payload: object) => api.checkIvms101({ payload }),
  advance: (duration: string) => api.advance({ duration }),
  rollSigningSecret: (overlap?: string) => api.rollSigningSecret({ overlap }),
  switchReferenceVasp: (running: boolean) => api.switchReferenceVasp({ running }),
  claimTrial: (invitation: string) => api.claimTrial({ invitation }),
  rollKey: (id: string, overlap?: string) => api.rollKey(id, { overlap }),
  invite: (name: string, expiresIn?: string) => api.invite({ name, expiresIn }),
  faucet: (
    symbol: string,
    address: string,
    amount: string,
    options: {
      /** The transaction gets into the ledger and fails there. */
      fails?: boolean;
      token?: boolean;
      /** XRP only: a partial payment that states `amount` and delivers less. */
      delivered?: string;
      /** ETH only: further payments of the same transaction. */
      others?: { address: string; amount: string }[];
    } = {},
  ) => api.faucet({ symbol, address, amount, ...options }),
});
