{{- define "recollect.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "recollect.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "recollect.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The component of a pod: the mode, or `worker` if the context says so (worker/deployment.yaml). */}}
{{- define "recollect.component" -}}
{{- default .Values.mode .component -}}
{{- end -}}

{{/* Leaves room for the suffix: names of Deployments become labels of at most 63 characters. */}}
{{- define "recollect.workerName" -}}
{{- printf "%s-worker" (include "recollect.fullname" . | trunc 56 | trimSuffix "-") -}}
{{- end -}}

{{- define "recollect.selectorLabels" -}}
app.kubernetes.io/name: {{ include "recollect.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: {{ include "recollect.component" . }}
{{- end -}}

{{- define "recollect.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "recollect.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "recollect.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "recollect.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "recollect.claimName" -}}
{{- default (include "recollect.fullname" .) .Values.persistence.existingClaim -}}
{{- end -}}

{{- define "recollect.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}
