import type { ReferencePage, ShownRecordField } from '../model/reference-page.ts';
import { presentable } from '../texts/presentable.ts';

const maxLength = 2000;

/** The reference of the administration interface, ready for its template. */
export function referenceView({ lead, documentUrl, groups, records, settings }: ReferencePage) {
  return {
    lead: lead.map(shown),
    documentUrl,
    groups: groups.map((group, index) => ({
      elementId: `group-${index}`,
      name: shown(group.name),
      routes: group.routes.map((route, at) => ({
        elementId: `route-${index}-${at}`,
        method: shown(route.method),
        path: shown(route.path),
        summary: shown(route.summary),
        description: shown(route.description),
        scope: shown(route.scope),
        parameters: route.parameters.map(shownField),
        fields: route.fields.map(shownField),
        answers: route.answers.map(({ status, description }) => ({
          status: shown(status),
          description: shown(description),
        })),
      })),
    })),
    records: records.map(({ name, description, fields }, index) => ({
      elementId: `record-${index}`,
      name: shown(name),
      description: shown(description),
      fields: fields.map(shownField),
    })),
    settings: settings.map(({ elementId, name, description, fields }) => ({
      elementId,
      name: shown(name),
      description: shown(description),
      fields: fields.map(shownField),
    })),
  };
}

function shownField({ name, kind, description }: ShownRecordField) {
  return { name: shown(name), kind: shown(kind), description: shown(description) };
}

function shown(text: string): string {
  return presentable(text, maxLength);
}
