import { type Client, Refused } from '../client/client.ts';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { withQuery } from './components/pager.tsx';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HASH = /^(0x)?[0-9a-f]{64}$/i;

/** The address of the thing that is named exactly, or of the list that the search narrows. */
export async function placeOf(api: Client, text: string): Promise<string> {
  const search = text.trim();
  const list = withQuery('/console/verifications', search === '' ? {} : { search });
  try {
    if (UUID.test(search)) {
      const { verificationUuid } = await api.verification(search.toLowerCase());
      return `/console/verifications/${verificationUuid}`;
    }
    if (!HASH.test(search)) return list;
    const [found] = (await api.verifications({ search, limit: 1 })).verifications;
    if (found) return `/console/verifications/${found.verificationUuid}`;
    const symbol = search.startsWith('0x') ? ASSET_SYMBOLS[0] : ASSET_SYMBOLS[1];
    return `/console/chain/${symbol}/${search}`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return list;
  }
}
