import type { Dependency } from './licences.ts';

/** What is used of the list that `npm sbom` writes, in CycloneDX. */
interface BillOfMaterials {
  readonly metadata: { readonly component: object };
  readonly components: readonly Component[];
}

interface Component {
  readonly externalReferences?: readonly { readonly type: string; readonly url: string }[];
}

/**
 * A list of everything that a release contains: what npm installs, and what the administration GUI has built in.
 *
 * @param installed what `npm sbom` writes of an installation of all packages
 */
export function billOfMaterials(installed: string, version: string, bundled: readonly Dependency[]): string {
  const list: BillOfMaterials = JSON.parse(installed);
  // npm names the folder of the installation, and gives it the address of a package that does not exist.
  const component = {
    ...list.metadata.component,
    type: 'application',
    name: 'watchword',
    version,
    purl: undefined,
  };
  const components = [...list.components.map(withoutFiles), ...bundled.map(componentOf)];
  return `${JSON.stringify({ ...list, metadata: { ...list.metadata, component }, components }, undefined, 2)}\n`;
}

/** The packages of this project were installed from files of the machine that makes the release. */
function withoutFiles(component: Component): Component {
  const { externalReferences = [] } = component;
  return {
    ...component,
    externalReferences: externalReferences.filter(({ url }) => !url.startsWith('file:')),
  };
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
