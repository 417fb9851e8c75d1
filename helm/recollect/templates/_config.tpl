{{/* The port that the configuration sets. */}}
{{- define "recollect.port" -}}
{{- dig "listen" "port" 8787 .Values.config | int -}}
{{- end -}}

{{- define "recollect.dataDir" -}}
{{- dig "data_dir" "/var/lib/recollect" .Values.config -}}
{{- end -}}

{{- define "recollect.host" -}}
{{- $default := ternary "0.0.0.0" "127.0.0.1" (eq .Values.mode "gateway") -}}
{{- dig "listen" "host" $default .Values.config -}}
{{- end -}}

{{/* The port of /metrics; 0 if the configuration turns it off. */}}
{{- define "recollect.metricsPort" -}}
{{- $set := dig "telemetry" "metrics" "0.0.0.0:9464" .Values.config -}}
{{- $set | default ":0" | toString | splitList ":" | last | int -}}
{{- end -}}

{{/* The configuration file: the user's values override those of the mode. */}}
{{- define "recollect.config" -}}
{{- $identity := ternary "gateway" "personal" (eq .Values.mode "gateway") -}}
{{- $listen := dict "host" (include "recollect.host" .) "port" (include "recollect.port" . | int) -}}
{{- $implied := dict
      "data_dir" (include "recollect.dataDir" .)
      "listen" $listen
      "identity" (dict "mode" $identity) -}}
{{- if .Values.worker.enabled -}}
{{- $_ := set $implied "learn" (dict "in_process" false) -}}
{{- end -}}
{{- if .Values.metrics.enabled -}}
{{- $_ := set $implied "telemetry" (dict "metrics" "0.0.0.0:9464") -}}
{{- end -}}
{{- $config := mergeOverwrite $implied (deepCopy .Values.config) -}}
{{- if eq .Values.mode "gateway" -}}
{{- $_ := set $config.listen "allowed_hosts" (include "recollect.allowedHosts" . | fromYamlArray) -}}
{{- end -}}
{{- $config | toYaml -}}
{{- end -}}

{{/* Names that clients may use: the Service's short name, which looks like a public name, the
     Ingress' names, and the user's. Recollect accepts addresses, `name` and `name.namespace.svc`
     itself. */}}
{{- define "recollect.allowedHosts" -}}
{{- $hosts := list (printf "%s.%s" (include "recollect.fullname" .) .Release.Namespace) -}}
{{- if .Values.ingress.enabled -}}
{{- range .Values.ingress.hosts -}}
{{- $hosts = append $hosts .host -}}
{{- end -}}
{{- end -}}
{{- concat $hosts (dig "listen" "allowed_hosts" list .Values.config) | uniq | toYaml -}}
{{- end -}}

{{/* A checksum of the configuration: as a pod annotation it restarts the pods after a change. */}}
{{- define "recollect.configChecksum" -}}
{{- include "recollect.config" . | sha256sum -}}
{{- end -}}

{{/* "true" if the list (context: names, env) has an entry with one of these names. */}}
{{- define "recollect.envHas" -}}
{{- range .env -}}{{- if has .name $.names -}}true{{- end -}}{{- end -}}
{{- end -}}

{{/* "true" while the database is a file of one pod. */}}
{{- define "recollect.databaseEmbedded" -}}
{{- $url := dig "database" "url" "" .Values.config | toString -}}
{{- $fromEnv := include "recollect.envHas" (dict "names" (list "RECOLLECT_DATABASE__URL") "env" .Values.extraEnv) -}}
{{- if not (or (regexMatch "^postgres(ql)?://" $url) $fromEnv .Values.secret.keys.databaseUrl) -}}true{{- end -}}
{{- end -}}

{{/* The most pods that may run at once. */}}
{{- define "recollect.maxReplicas" -}}
{{- if and (eq .Values.mode "gateway") .Values.autoscaling.enabled -}}
{{- .Values.autoscaling.maxReplicas | int -}}
{{- else -}}
{{- .Values.replicas | int -}}
{{- end -}}
{{- end -}}
