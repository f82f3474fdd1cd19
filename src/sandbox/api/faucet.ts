import * as z from 'zod';
import { AccountNumber, Amount, SymbolText } from '../../contract/text.ts';

/** `/faucet` */

export const FaucetRequest = z
  .object({ symbol: SymbolText, address: AccountNumber, amount: Amount })
  .meta({ id: 'FaucetRequest', description: 'Funds an address on an embedded chain.' });
export const FaucetResponse = z.object({ txHash: z.string() }).meta({ id: 'FaucetResponse' });
