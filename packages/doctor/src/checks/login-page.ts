import type { Reached } from '../patient.ts';
import type { Reply } from '../send.ts';

/** As a browser sends it that was never here before. */
export const browserHeaders = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'none',
} as const;

/** A page that begins a login, for no client. */
export function pageOf({ baseUrl, send }: Pick<Reached, 'baseUrl' | 'send'>): Promise<Reply> {
  return send(`${baseUrl}/account`, { headers: browserHeaders });
}
