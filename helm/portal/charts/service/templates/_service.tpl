{{/* The settings of this service, as JSON: what all have, over that its own file, over that what was given. */}}
{{- define "service.settings" -}}
{{- $file := printf "services/%s.yaml" (include "service.name" .) -}}
{{- $own := .Files.Get $file -}}
{{- if not $own }}{{ fail (printf "%s is no service of the portal: there is no %s" (include "service.name" .) $file) }}{{ end -}}
{{- $given := omit .Values "global" "name" -}}
{{- mustMergeOverwrite (.Files.Get "defaults.yaml" | fromYaml) ($own | fromYaml) ($given | deepCopy) | toJson -}}
{{- end -}}

{{/* In the parent chart it is the alias; an installation of one service alone says `name`. */}}
{{- define "service.name" -}}
{{- .Values.name | default .Chart.Name -}}
{{- end -}}

{{/* The installation: the settings that all services share. */}}
{{- define "service.global" -}}
{{- $defaults := .Files.Get "global.yaml" | fromYaml -}}
{{- mustMergeOverwrite $defaults (.Values.global | default dict | deepCopy) | toJson -}}
{{- end -}}

{{/* The engines of this service: those of the installation, except a PostgreSQL server of its own. */}}
{{- define "service.engines" -}}
{{- $engines := (include "service.global" . | fromJson).engines -}}
{{- with (include "service.settings" . | fromJson).database -}}
{{- if .url }}{{ $_ := set $engines "database" . }}{{ end -}}
{{- end -}}
{{- with $engines.database -}}
{{- if not .port }}{{ $_ := set . "port" (regexFind ":[0-9]+$" (urlParse .url).host | trimPrefix ":" | default "5432") }}{{ end -}}
{{- end -}}
{{- $engines | toJson -}}
{{- end -}}

{{/* Services of one installation find each other by `<installation>-<service>`. */}}
{{- define "service.installation" -}}
{{- (include "service.global" . | fromJson).installation | default .Release.Name -}}
{{- end -}}

{{- define "service.fullname" -}}
{{- printf "%s-%s" (include "service.installation" .) (include "service.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "service.selector" -}}
app.kubernetes.io/name: {{ include "service.name" . }}
app.kubernetes.io/instance: {{ include "service.installation" . }}
{{- end -}}

{{- define "service.labels" -}}
{{ include "service.selector" . }}
app.kubernetes.io/part-of: portal
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ include "service.tag" . | trunc 63 | quote }}
{{- end -}}

{{- define "service.tag" -}}
{{- (include "service.settings" . | fromJson).image.tag | default (include "service.global" . | fromJson).image.tag | default .Chart.AppVersion -}}
{{- end -}}

{{- define "service.image" -}}
{{- $image := printf "%s/%s" (include "service.global" . | fromJson).image.repository (include "service.name" .) -}}
{{- with (include "service.settings" . | fromJson).image.digest -}}
{{- printf "%s@%s" $image . -}}
{{- else -}}
{{- printf "%s:%s" $image (include "service.tag" $) -}}
{{- end -}}
{{- end -}}

{{/* The plain settings that the job of the database has as well, with those that were given, as JSON. */}}
{{- define "service.commonEnvironment" -}}
{{- $own := include "service.settings" . | fromJson -}}
{{- $global := include "service.global" . | fromJson -}}
{{- $env := dict "DEMO" (ternary "1" "0" $global.demo) "LOG_LEVEL" $global.logLevel -}}
{{- if $global.authorities.configMap }}{{ $_ := set $env "NODE_EXTRA_CA_CERTS" "/etc/portal/authorities.pem" }}{{ end -}}
{{- range $setting, $value := merge (dict) $own.settings $global.settings -}}
{{- /* Numbers are floats by now, and large ones would be written as 1e+06. */ -}}
{{- if and (kindIs "float64" $value) (eq (floor $value) $value) (lt $value 9e18) }}{{ $value = int64 $value }}{{ end -}}
{{- $_ := set $env $setting (toString $value) -}}
{{- end -}}
{{- toJson $env -}}
{{- end -}}

{{/* Plain settings, in a ConfigMap. */}}
{{- define "service.environment" -}}
{{- $own := include "service.settings" . | fromJson -}}
{{- $global := include "service.global" . | fromJson -}}
{{- $root := . -}}
{{- $env := dict "DRAIN_SECONDS" (toString $own.drainSeconds) -}}
{{- range $own.calls -}}
{{- /* MAIL_URL is the mail server's. */ -}}
{{- $_ := set $env (eq . "mail" | ternary "MAIL_SERVICE_URL" (printf "%s_URL" (upper .))) (printf "http://%s-%s" (include "service.installation" $root) .) -}}
{{- end -}}
{{- $_ := set $env "KAFKA_BROKERS" (join "," $global.engines.kafka.brokers) -}}
{{- $_ := set $env "KAFKA_REPLICATION_FACTOR" (toString $global.engines.kafka.replicationFactor) -}}
{{- $_ := set $env "KAFKA_MIN_INSYNC_REPLICAS" (toString $global.engines.kafka.minInsyncReplicas) -}}
{{- $_ := set $env "KAFKA_PARTITIONS" (toString $global.engines.kafka.partitions) -}}
{{- if $global.engines.kafka.tls.enabled }}{{ $_ := set $env "KAFKA_SSL" "1" }}{{ end -}}
{{- with $global.engines.kafka.tls.ca }}{{ $_ := set $env "KAFKA_TLS_CA" . }}{{ end -}}
{{- with $global.engines.kafka.sasl.mechanism }}{{ $_ := set $env "KAFKA_SASL_MECHANISM" . }}{{ end -}}
{{- if has "database" $own.needs }}{{ $_ := set $env "DATABASE_URL" (include "service.engines" $root | fromJson).database.url }}{{ end -}}
{{- if has "storage" $own.needs -}}
{{- $storage := $global.engines.storage -}}
{{- $_ := set $env "S3_ENDPOINT" $storage.endpoint -}}
{{- $_ := set $env "S3_REGION" $storage.region -}}
{{- $_ := set $env "S3_BUCKET" $storage.bucket -}}
{{- if and $storage.publicUrl (has "STORAGE_SECRET" $own.secretSettings) }}{{ $_ := set $env "S3_PUBLIC_URL" $storage.publicUrl }}{{ end -}}
{{- end -}}
{{- if $own.publicUrl }}{{ $_ := set $env "PUBLIC_URL" $global.publicUrl }}{{ end -}}
{{- if and $own.public (or $own.ingress.enabled $own.gatewayApi.enabled) }}{{ $_ := set $env "TRUSTED_PROXIES" (join "," $own.trustedProxies) }}{{ end -}}
{{- with $global.telemetry.endpoint }}{{ $_ := set $env "OTEL_EXPORTER_OTLP_ENDPOINT" . }}{{ end -}}
{{- range $setting, $value := include "service.commonEnvironment" . | fromJson }}{{ $_ := set $env $setting $value }}{{ end -}}
{{- toYaml $env -}}
{{- end -}}

{{/* The names of this service's settings that are secrets, as a list in JSON. */}}
{{- define "service.secretNames" -}}
{{- $names := (include "service.settings" . | fromJson).secretSettings -}}
{{- if (include "service.global" . | fromJson).engines.kafka.sasl.mechanism -}}
{{- $names = concat $names (list "KAFKA_SASL_USERNAME" "KAFKA_SASL_PASSWORD") -}}
{{- end -}}
{{- $names | toJson -}}
{{- end -}}

{{/* Where a secret stands: those that each service has for itself have its name before theirs. Takes (dict "root" . "name" text). */}}
{{- define "service.secretAt" -}}
{{- $own := include "service.settings" .root | fromJson -}}
{{- $global := include "service.global" .root | fromJson -}}
{{- $isOwn := has .name (list "INTERNAL_KEYS" "DATABASE_PASSWORD" "DATABASE_OWNER_PASSWORD") -}}
{{- $key := ternary (printf "%s_%s" (include "service.name" .root | upper) .name) .name $isOwn -}}
{{- merge (dict) (get $own.secrets .name | default dict) (get $global.secrets .name | default dict) (dict "secret" $global.secret "key" $key) | toJson -}}
{{- end -}}

{{/* Refuses what would be ignored: secrets and a database that the service does not take. */}}
{{- define "service.check" -}}
{{- $name := include "service.name" . -}}
{{- $own := include "service.settings" . | fromJson -}}
{{- $taken := dict -}}
{{- range $path, $content := .Files.Glob "services/*.yaml" -}}
{{- $service := $content | toString | fromYaml -}}
{{- $ofJob := has "database" $service.needs | ternary (list "DATABASE_ADMIN_URL" "DATABASE_OWNER_PASSWORD") list -}}
{{- $names := concat $service.secretSettings (list "KAFKA_SASL_USERNAME" "KAFKA_SASL_PASSWORD") $ofJob -}}
{{- $_ := set $taken (base $path | trimSuffix ".yaml") $names -}}
{{- end -}}
{{- range $secret, $at := $own.secrets -}}
{{- $names := get $taken $name -}}
{{- if not (has $secret $names) }}{{ fail (printf "%s.secrets.%s: the service takes only %s" $name $secret (join ", " $names)) }}{{ end -}}
{{- end -}}
{{- range $secret, $at := (include "service.global" . | fromJson).secrets -}}
{{- $isTaken := false -}}
{{- range $names := $taken }}{{ if has $secret $names }}{{ $isTaken = true }}{{ end }}{{ end -}}
{{- if not $isTaken }}{{ fail (printf "global.secrets.%s: no service takes it" $secret) }}{{ end -}}
{{- end -}}
{{- if and $own.database.url (not (has "database" $own.needs)) }}{{ fail (printf "%s.database: the service has none" $name) }}{{ end -}}
{{- end -}}

{{/* Settings that are secrets, each from a Secret that is there already. Takes (dict "root" . "names" list). */}}
{{- define "service.secretEnvironment" -}}
{{- $global := include "service.global" .root | fromJson -}}
{{- $root := .root -}}
{{- range .names }}
{{- $at := include "service.secretAt" (dict "root" $root "name" .) | fromJson }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $at.secret }}
      key: {{ $at.key }}
      {{- if or (hasPrefix "ADMIN_" .) (hasSuffix "_CLIENT_SECRET" .) (has . (list "MAIL_URL" "MONGODB_URL")) (and $global.demo (eq . "API_KEY")) }}
      optional: true
      {{- end }}
{{- end }}
{{- end -}}

{{/*
  What the pods of the service and of the job of its database have in common: nobody's user, nothing to write to, no rights
  beyond those of a process, and the nodes that are named for them.
*/}}
{{- define "service.pod" -}}
{{- $own := include "service.settings" . | fromJson -}}
{{- $global := include "service.global" . | fromJson -}}
automountServiceAccountToken: false
# Variables of the cluster's own would look like settings.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with $global.image.pullSecrets }}
imagePullSecrets: {{- range . }}{{ nindent 2 (printf "- name: %s" .) }}{{ end }}
{{- end }}
{{- with $own.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $own.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $global.authorities }}
{{- if .configMap }}
volumes:
  - name: authorities
    configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: authorities.pem }] }
{{- end }}
{{- end }}
{{- end -}}

{{- define "service.container" -}}
{{- $global := include "service.global" . | fromJson -}}
image: {{ include "service.image" . }}
imagePullPolicy: {{ $global.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{- toYaml (include "service.settings" . | fromJson).resources | nindent 2 }}
{{- if $global.authorities.configMap }}
volumeMounts: [{ name: authorities, mountPath: /etc/portal, readOnly: true }]
{{- end }}
{{- end -}}

{{/*
  What the pods were made of: they are replaced when it changes. Of a Secret it is the version alone, which tells nothing
  of its content; where a chart is rendered without a cluster it is not known. Takes (dict "root" . "names" list), the secrets.
*/}}
{{- define "service.checksums" -}}
checksum/secrets: {{ include "service.secretVersions" . | sha256sum }}
{{- with (include "service.global" .root | fromJson).authorities.configMap }}
checksum/authorities: {{ (lookup "v1" "ConfigMap" $.root.Release.Namespace .).data | default dict | toJson | sha256sum }}
{{- end }}
{{- end -}}

{{- define "service.secretVersions" -}}
{{- $root := .root -}}
{{- $versions := dict -}}
{{- range .names -}}
{{- $at := include "service.secretAt" (dict "root" $root "name" .) | fromJson -}}
{{- with lookup "v1" "Secret" $root.Release.Namespace $at.secret -}}
{{- $_ := set $versions $at.secret .metadata.resourceVersion -}}
{{- end -}}
{{- end -}}
{{- $versions | toJson -}}
{{- end -}}
