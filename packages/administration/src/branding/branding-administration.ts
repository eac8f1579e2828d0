import {
  type Branding,
  type BrandingReader,
  type RecordState,
  randomText,
  type StoredBranding,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { difference } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { checkCondition, type EditCondition, revisionTag } from '../changes/edit.ts';
import { flatTexts } from './texts.ts';

export interface BrandingDependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'> {
  readonly branding: BrandingReader;
  /** Reads the changes of all processes now, so that this one knows its own. It never rejects. */
  readonly refresh: () => Promise<unknown>;
}

export interface BrandingAdministration {
  find(): Promise<StoredBranding>;
  /** @throws OAuthError `precondition_failed` */
  put(caller: Caller, branding: Branding, condition: EditCondition | undefined): Promise<StoredBranding>;
  /** Stores a draft for a preview. @returns its id, which nobody can guess, and its end in epoch milliseconds */
  putDraft(branding: Branding): Promise<{ readonly id: string; readonly expires: number }>;
}

/** Milliseconds for which a draft can be seen. */
export const draftLifetime = 3_600_000;

const none: StoredBranding = {
  branding: { productName: '', logo: undefined, colours: { light: {}, dark: {} }, texts: {} },
  modificationDate: 0,
  revision: 0,
};

export function brandingAdministration(deps: BrandingDependencies): BrandingAdministration {
  const { branding: reader, clock, random, refresh, transact } = deps;
  const find = async () => (await reader.find()) ?? none;
  return {
    find,
    async put(caller, branding, condition) {
      await changeRecords(caller, deps, async ({ branding: store }) => {
        const before = (await store.find()) ?? none;
        checkCondition(condition, revisionTag(before));
        await store.put(branding, clock.now());
        const changes = difference(stateOf(before.branding), stateOf(branding));
        const record = { recordType: 'branding', recordId: 'pages', recordName: 'pages' } as const;
        return {
          value: undefined,
          changes: [{ action: 'update', ...record, owner: caller.identity, ...changes }],
        };
      });
      await refresh();
      return find();
    },
    async putDraft(branding) {
      const id = randomText(random, 24);
      await transact(async ({ branding: store }) => {
        await store.removeDrafts(clock.now() - draftLifetime);
        await store.putDraft(id, branding, clock.now());
      });
      return { id, expires: clock.now() + draftLifetime };
    },
  };
}

/** What the audit log has of it: a picture by its size. */
function stateOf({ productName, logo, colours, texts }: Branding): RecordState {
  const picture =
    logo === undefined ? '' : `${logo.type}, ${Buffer.byteLength(logo.content, 'base64')} bytes`;
  return {
    productName,
    logo: picture,
    lightColours: { ...colours.light },
    darkColours: { ...colours.dark },
    texts: flatTexts(texts),
  };
}
