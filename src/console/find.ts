import { type Client, Refused } from '../client/client.ts';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { withQuery } from './components/table.tsx';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HASH = /^(0x)?[0-9a-f]{64}$/i;

const isSame = (txHash: string | null, hash: string): boolean => txHash?.toLowerCase() === hash.toLowerCase();

/** The address of the thing that is named exactly, or of the list that the search narrows. */
export async function placeOf(api: Client, text: string): Promise<string> {
  const search = text.trim();
  const list = withQuery('/console/verifications', search === '' ? {} : { search });
  try {
    const isUuid = UUID.test(search);
    if (!isUuid && !HASH.test(search)) return list;
    const { verifications } = await api.verifications(isUuid ? { verificationUuid: search } : { search });
    const found = verifications.find(each => isUuid || isSame(each.txHash, search));
    if (found) return `/console/verifications/${found.verificationUuid}`;
    if (isUuid) return list;
    const symbol = search.startsWith('0x') ? ASSET_SYMBOLS[0] : ASSET_SYMBOLS[1];
    return `/console/chain/${symbol}/${search}`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return list;
  }
}
