import { allEvents } from '../catalogue.ts';
import { type EventDefinition, type Topic, topics } from '../core/event.ts';
import { exampleOf, receiversOf, sendersOf } from './event-flow.ts';
import { eventSchema, type JsonSchema } from './json-schema.ts';

/** What follows the hand-written beginning of `docs/events.md`: an event in full, the topics, and each event. */
export function eventsPage(): string {
  return `${[inFull(), overview(), ...topics.map(topicSection)].join('\n\n')}\n`;
}

function inFull(): string {
  const event = allEvents.find(({ type }) => type === 'file.delivered') ?? allEvents[0];
  return event === undefined ? '' : `## An event in full\n\n${json(exampleOf(event))}`;
}

function overview(): string {
  const rows = topics.map((topic) => {
    const types = eventsOf(topic).map(({ type }) => `[${type}](#${anchor(type)})`);
    return [`[${topic}](#${anchor(topic)})`, sendersOf(topic).join(', '), types.join(', ')];
  });
  return `## Topics\n\n${table(['topic', 'published by', 'events'], rows)}`;
}

function topicSection(topic: Topic): string {
  return [`## ${topic}`, ...eventsOf(topic).map(eventSection)].join('\n\n');
}

function eventSection(event: EventDefinition): string {
  const { example, key, summary, tenant, type } = event;
  const receivers = receiversOf(event);
  const facts = [
    `Key: the \`${key}\`.`,
    ...(tenant === 'never' ? ['It belongs to no tenant.'] : []),
    ...(tenant === 'sometimes' ? ['`partnerid` is null if it belongs to no tenant.'] : []),
    ...(receivers.length === 0 ? [] : [`Handled in the portal by ${listed(receivers)}.`]),
  ];
  return [
    `### ${type}`,
    `${summary} ${facts.join(' ')}`,
    fields(event),
    `Example of its data:`,
    json(example),
  ].join('\n\n');
}

function fields({ data }: EventDefinition): string {
  const { properties, required } = eventSchema(data);
  const always = Array.isArray(required) ? required : [];
  const rows = Object.entries(Object(properties)).map(([name, schema]) => [
    `\`${name}\`${always.includes(name) ? '' : ' (optional)'}`,
    typeOf(schema as JsonSchema),
    String((schema as JsonSchema)['description'] ?? ''),
  ]);
  return table(['field', 'type', 'meaning'], rows);
}

/** A schema in words, as in `integer or null`. */
function typeOf({ anyOf, enum: values, format, items, type }: JsonSchema): string {
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' or ');
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(', ');
  if (type === 'array') return `list of ${typeOf(Object(items))}`;
  if (Array.isArray(type)) return type.join(' or ');
  return format === 'date-time' ? 'time' : String(type);
}

const eventsOf = (topic: Topic) => allEvents.filter((event) => event.topic === topic);
const anchor = (heading: string) => heading.replaceAll('.', '');
const listed = (names: readonly string[]) => names.join(', ').replace(/, (\w+)$/, ' and $1');

/** With short lists on one line. */
function json(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(
    /\[\n([^[\]{}]*)\]/g,
    (_, items: string) => `[${items.trim().replace(/\s+/g, ' ')}]`,
  );
  return `\`\`\`json\n${text}\n\`\`\``;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
