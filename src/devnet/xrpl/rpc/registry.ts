import { accountInfo } from './account-info.ts';
import { accountCurrencies, accountLines } from './account-lines.ts';
import { accountObjects } from './account-objects.ts';
import { accountTx } from './account-tx.ts';
import { depositAuthorized } from './deposit-authorized.ts';
import { ledger } from './ledger.ts';
import { ledgerData, ledgerEntry } from './ledger-entry.ts';
import { accountOffers, bookOffers } from './offers.ts';
import type { Handler } from './request.ts';
import {
  feature,
  fee,
  ledgerAccept,
  ledgerClosed,
  ledgerCurrent,
  ping,
  random,
  serverDefinitions,
} from './server-commands.ts';
import { serverInfo, serverState } from './server-info.ts';
import { sign, signFor } from './sign.ts';
import { simulate, submit, submitMultisigned } from './submit.ts';
import { subscribe, unsubscribe } from './subscribe.ts';
import { gatewayBalances, norippleCheck } from './tokens.ts';
import { transactionEntry, tx, txHistory } from './tx.ts';

/** Every command that the server knows (XRPL-1.3). */
export const COMMANDS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['account_currencies', accountCurrencies],
  ['account_info', accountInfo],
  ['account_lines', accountLines],
  ['account_objects', accountObjects],
  ['account_offers', accountOffers],
  ['account_tx', accountTx],
  ['book_offers', bookOffers],
  ['deposit_authorized', depositAuthorized],
  ['feature', feature],
  ['fee', fee],
  ['gateway_balances', gatewayBalances],
  ['ledger', ledger],
  ['ledger_accept', ledgerAccept],
  ['ledger_closed', ledgerClosed],
  ['ledger_current', ledgerCurrent],
  ['ledger_data', ledgerData],
  ['ledger_entry', ledgerEntry],
  ['noripple_check', norippleCheck],
  ['ping', ping],
  ['random', random],
  ['server_definitions', serverDefinitions],
  ['server_info', serverInfo],
  ['server_state', serverState],
  ['sign', sign],
  ['sign_for', signFor],
  ['simulate', simulate],
  ['submit', submit],
  ['submit_multisigned', submitMultisigned],
  ['subscribe', subscribe],
  ['transaction_entry', transactionEntry],
  ['tx', tx],
  ['tx_history', txHistory],
  ['unsubscribe', unsubscribe],
]);
