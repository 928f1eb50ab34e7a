import { fileRoutes } from '@portal/contracts';
import { type Implementation, implement } from '@portal/service-kit';
import type { ReadTemplate } from '../use-cases/read-template.ts';

/** What the settings of packages look like, for whoever builds or plays them. */
export function templatesRoutes(readTemplate: ReadTemplate): Implementation[] {
  return [implement(fileRoutes.getTemplate, ({ params }) => readTemplate(params.name))];
}
