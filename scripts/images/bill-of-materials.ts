import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** What is in the image of a service, as CycloneDX 1.6 has it: https://cyclonedx.org/docs/1.6/json/. */

const root = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: unknown;
}

/** The directory of the npm package that a module belongs to; undefined for the product's own. */
export function directoryOfModule(path: string): string | undefined {
  const folder = `${sep}node_modules${sep}`;
  const begin = path.lastIndexOf(folder);
  if (begin < 0) return undefined;
  const [scope = '', name = ''] = path.slice(begin + folder.length).split(sep);
  return path.slice(0, begin + folder.length) + (scope.startsWith('@') ? join(scope, name) : scope);
}

/**
 * The bill of an image with the npm packages of these directories, on its base. Without a time or a number of its own: the
 * same sources give the same bill. The base's own packages are in the bill of whoever makes it.
 */
export async function billOfMaterials(service: string, directories: readonly string[]): Promise<object> {
  const product = await manifestOf(root);
  const packages = await Promise.all([...new Set(directories)].map(manifestOf));
  // A package may be installed twice in one version, beside different others.
  const components = new Map(packages.map((one) => [purlOf(one), componentOf(one)]));
  const sorted = [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
  const own = `${product.name}-${service}@${product.version}`;
  const base = await baseComponents();
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name: `${product.name}-${service}`,
        version: product.version,
      },
    },
    components: [...base, ...sorted],
    dependencies: [{ ref: own, dependsOn: [...base, ...sorted].map((component) => component['bom-ref']) }],
  };
}

async function manifestOf(directory: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
}

function purlOf({ name, version }: Manifest): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function componentOf(manifest: Manifest) {
  const { license, name, version } = manifest;
  const [group, own] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const purl = purlOf(manifest);
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name: own,
    version,
    ...(typeof license === 'string' ? { licenses: [{ expression: license }] } : {}),
    purl,
  };
}

/** The image that the Dockerfile builds upon, or another that a build was given, and the Node that it brings. */
async function baseComponents() {
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  const image = process.env['NODE_IMAGE'] ?? /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1];
  if (image === undefined) throw new Error('The Dockerfile names no base');
  const begin = image.lastIndexOf('/') + 1;
  const [last = '', version] = image.slice(begin).split(/[:@](.*)/s);
  const name = image.slice(0, begin) + last;
  const [node] = /^\d[\d.]*/.exec(version ?? '') ?? [];
  return [
    { type: 'container', 'bom-ref': image, name, ...(version ? { version } : {}) },
    { type: 'platform', 'bom-ref': 'node', name: 'node', ...(node ? { version: node } : {}) },
  ];
}
