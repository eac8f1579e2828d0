import { testKey } from './certificate.ts';
import { aggregateXml, entityXml, inAnHour } from './metadata.ts';

/** As federations have them: two certificates each, names in some languages, a logo, domains; 3 KB an entity. */
export function federationXml(entities: number): string {
  const certificates = Array.from({ length: 20 }, () => testKey('idp').certificateBase64);
  const at = (index: number) => certificates[index % certificates.length] ?? '';
  const all = Array.from({ length: entities }, (_, index) =>
    entityXml(
      {
        entityId: `https://idp${index}.example.org/idp/shibboleth`,
        certificates: [at(index), at(index + 1)],
        names: { en: `University of Place ${index}`, de: `Universität ${index}`, fr: `Université ${index}` },
        logo: `https://www${index}.example.org/logo.png`,
        keywords: `place uni${index} research education`,
        scopes: [`place${index}.example.org`, `students.place${index}.example.org`],
      },
      false,
    ),
  );
  return aggregateXml(all.join('\n'), inAnHour());
}
