import type { Core } from '../core/core.ts';
import { echoRoute } from '../http/echo.ts';
import { version } from '../version.ts';
import type { Feature } from './feature.ts';

/** What `watchword doctor` asks to learn how requests arrive. */
export function echo({ baseUrl, clock, sealer }: Pick<Core, 'baseUrl' | 'clock' | 'sealer'>): Feature {
  return { endpoints: [echoRoute({ baseUrl, clock, sealer, version })], records: 'unused' };
}
