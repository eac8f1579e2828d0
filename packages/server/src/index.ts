export { composeService, type Service } from './compose.ts';
export { loadConfiguration } from './config/load.ts';
export type { Configuration } from './config/settings.ts';
export { onlyProcess, type Place } from './place.ts';
