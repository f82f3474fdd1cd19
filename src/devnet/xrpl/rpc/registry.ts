import { accountInfo } from './account-info.ts';
import { accountObjects } from './account-objects.ts';
import { accountTx } from './account-tx.ts';
import {
  accountChannels,
  accountCurrencies,
  accountLines,
  accountNfts,
  accountOffers,
} from './empty-lists.ts';
import { ledger } from './ledger.ts';
import { ledgerEntry } from './ledger-entry.ts';
import type { Handler } from './request.ts';
import { fee, ledgerAccept, ledgerClosed, ledgerCurrent, ping, random } from './server-commands.ts';
import { serverInfo, serverState } from './server-info.ts';
import { submit } from './submit.ts';
import { subscribe, unsubscribe } from './subscribe.ts';
import { tx } from './tx.ts';

/** Every command that the server knows (XRPL-1.3). */
export const COMMANDS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['account_channels', accountChannels],
  ['account_currencies', accountCurrencies],
  ['account_info', accountInfo],
  ['account_lines', accountLines],
  ['account_nfts', accountNfts],
  ['account_objects', accountObjects],
  ['account_offers', accountOffers],
  ['account_tx', accountTx],
  ['fee', fee],
  ['ledger', ledger],
  ['ledger_accept', ledgerAccept],
  ['ledger_closed', ledgerClosed],
  ['ledger_current', ledgerCurrent],
  ['ledger_entry', ledgerEntry],
  ['ping', ping],
  ['random', random],
  ['server_info', serverInfo],
  ['server_state', serverState],
  ['submit', submit],
  ['subscribe', subscribe],
  ['tx', tx],
  ['unsubscribe', unsubscribe],
]);
