import{require_jsx_runtime as e,useMutation as t,useNavigate as n}from"./libraries.js";import{ErrorNotice as r,api as i}from"./error-notice.js";import{AsRequest as a}from"./as-request.js";import{PageHead as o}from"./page-head.js";import{Permitted as s}from"./index.js";import{bodyOf as c,refreshTemplates as l}from"./template-calls.js";var u=e(),d={markdown:`preheader: Your order {{number}} is on its way.

# Thank you, {{name}}

Your order **{{number}}** is on its way.

[See your order]({{url}}){button}

| Item | Price |
|---|---:|
{{#each items}}
| {{title}} | {{price}} |
{{/each}}
`,html:`<!doctype html>
<html lang="en">
  <head>
    <meta name="color-scheme" content="light dark">
    <style>
      body { font-family: sans-serif; margin: 24px; }
      @media (prefers-color-scheme: dark) {
        body { background: #17181a; color: #ececea; }
        a { color: #7fa9f7; }
      }
    </style>
  </head>
  <body>
    <h1>Thank you, {{name}}</h1>
    <p>Your order {{number}} is on its way. <a href="{{url}}">See your order</a></p>
  </body>
</html>
`},f=`Your order {{number}}`;function p(){let e=n(),{mutate:p,error:m,isPending:h}=t({mutationFn:({name:e,kind:t})=>{let n={subject:f,source:d[t]};return i.templates.create({name:e,kind:t,...c(t,n)})},onSuccess:async({id:t})=>{await l(),await e({to:`/templates/$templateId`,params:{templateId:t},replace:!0})}});return(0,u.jsxs)(u.Fragment,{children:[(0,u.jsx)(o,{title:`Add template`}),(0,u.jsxs)(`form`,{className:`panel padded`,"aria-label":`Add template`,onSubmit:e=>{e.preventDefault();let t=new FormData(e.currentTarget),n=t.get(`name`),r=t.get(`kind`)===`html`?`html`:`markdown`;typeof n==`string`&&p({name:n.trim(),kind:r})},children:[(0,u.jsxs)(`label`,{className:`field`,children:[`Name`,(0,u.jsx)(`input`,{name:`name`,required:!0,maxLength:200,placeholder:`Receipt`})]}),(0,u.jsxs)(`fieldset`,{children:[(0,u.jsx)(`legend`,{children:`Format`}),(0,u.jsxs)(`label`,{children:[(0,u.jsx)(`input`,{type:`radio`,name:`kind`,value:`markdown`,defaultChecked:!0}),` Markdown (converted to HTML)`]}),(0,u.jsxs)(`label`,{children:[(0,u.jsx)(`input`,{type:`radio`,name:`kind`,value:`html`}),` HTML`]})]}),(0,u.jsx)(`p`,{className:`muted`,children:`A plain-text version is generated automatically. Publish the template before you send with it.`}),m&&(0,u.jsx)(r,{error:m}),(0,u.jsx)(`div`,{className:`buttons`,children:(0,u.jsx)(s,{operation:`POST /v1/templates`,act:`add templates`,children:(0,u.jsx)(`button`,{type:`submit`,className:`btn main`,disabled:h,children:`Add template`})})})]}),(0,u.jsx)(a,{method:`POST`,path:`/v1/templates`,body:{name:`Receipt`,kind:`markdown`,subject:f,markdown:`# Thank you`}})]})}export{p as NewTemplate};