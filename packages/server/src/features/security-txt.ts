import type { Core } from '../core/core.ts';
import { securityTxtRoutes } from '../http/security-txt.ts';
import type { Feature } from './feature.ts';

/** Where to report a weakness of the installation, if the operator says so. */
export function securityTxt({
  baseUrl,
  clock,
  configuration,
  prefix,
}: Pick<Core, 'baseUrl' | 'clock' | 'configuration' | 'prefix'>): Feature {
  const { 'securityTxt.contact': contact, 'securityTxt.policy': policy } = configuration;
  if (contact.length === 0) return {};
  const encryption = configuration['securityTxt.encryption'];
  return {
    hostEndpoints: securityTxtRoutes({ baseUrl, clock, contact, encryption, policy, prefix }),
    records: 'unused',
  };
}
