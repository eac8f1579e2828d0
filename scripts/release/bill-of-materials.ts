import type { Dependency } from './licences.ts';

/** What is used of the list that `npm sbom` writes, in CycloneDX. */
interface BillOfMaterials {
  readonly metadata: { readonly component: object };
  readonly components: readonly object[];
}

/**
 * A list of everything that a release contains: what npm installs, and what the administration GUI has built in.
 *
 * @param installed what `npm sbom` writes of an installation of all packages
 */
export function billOfMaterials(installed: string, version: string, bundled: readonly Dependency[]): string {
  const list: BillOfMaterials = JSON.parse(installed);
  const component = { ...list.metadata.component, type: 'application', version };
  const components = [...list.components, ...bundled.map(componentOf)];
  return `${JSON.stringify({ ...list, metadata: { ...list.metadata, component }, components }, undefined, 2)}\n`;
}

function componentOf({ name, version, licence }: Dependency): object {
  return {
    'bom-ref': `@watchword/console/${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ expression: licence }],
  };
}
